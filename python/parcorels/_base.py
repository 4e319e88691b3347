"""What the estimators take from scikit-learn, or as much of it as they need
where it is not installed."""

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError
except ImportError:
    import inspect

    class NotFittedError(ValueError, AttributeError):
        """An estimator is used before it is fitted."""

    class ConvergenceWarning(UserWarning):
        """A search ended before the model was proved optimal."""

    class DataConversionWarning(UserWarning):
        """Data is taken in another shape than it has."""

    class BaseEstimator:
        """Parameters by name, as scikit-learn has them."""

        def get_params(self, deep=True):
            names = inspect.signature(type(self).__init__).parameters
            return {name: getattr(self, name) for name in names if name != "self"}

        def set_params(self, **params):
            known = self.get_params()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {sorted(known)}.")
                setattr(self, name, value)
            return self

        def __repr__(self):
            defaults = inspect.signature(type(self).__init__).parameters
            changed = [f"{k}={v!r}" for k, v in self.get_params().items() if v is not defaults[k].default and v != defaults[k].default]
            return f"{type(self).__name__}({', '.join(changed)})"

    class ClassifierMixin:
        """The accuracy of a classifier."""

        _estimator_type = "classifier"

        def score(self, X, y, sample_weight=None):
            """Return the share, by weight, of the rows whose class is predicted."""
            import numpy as np

            return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))


__all__ = ["BaseEstimator", "ClassifierMixin", "ConvergenceWarning", "DataConversionWarning", "NotFittedError"]
