"""Rule lists and other interpretable models that are provably optimal.

    from parcorels import RuleListClassifier
    clf = RuleListClassifier(lambda_=0.01).fit(X, y)

The classifiers follow the conventions of scikit-learn. They run the program
`parcorels`, which the package carries, to learn, and predict with numpy alone.
"""

from ._alternatives import RashomonSet
from ._engine import EngineError
from ._estimators import BayesianRuleListClassifier, RuleListClassifier, RuleSetClassifier, TreeClassifier, cv, load
from ._path import LambdaPath
from ._version import __version__

__all__ = ["BayesianRuleListClassifier", "EngineError", "LambdaPath", "RashomonSet", "RuleListClassifier", "RuleSetClassifier", "TreeClassifier", "__version__", "cv", "load"]
