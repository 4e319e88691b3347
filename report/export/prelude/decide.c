#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* A test returns 1, 0, or -1 for a cell that cannot be judged. A missing cell
   cannot be judged where complete says that training had none. */

/* trimmed skips the space around a text and returns its length. */
static size_t trimmed(const char **text) {
	size_t n;
	while (isspace((unsigned char)**text)) (*text)++;
	n = strlen(*text);
	while (n > 0 && isspace((unsigned char)(*text)[n - 1])) n--;
	return n;
}

static int same_word(const char *text, size_t n, const char *lower) {
	size_t i;
	for (i = 0; i < n; i++)
		if (tolower((unsigned char)text[i]) != (unsigned char)lower[i] || lower[i] == 0) return 0;
	return lower[n] == 0;
}

static int text_missing(const char *text) {
	size_t n, i;
	if (text == NULL) return 1;
	n = trimmed(&text);
	for (i = 0; missing_words[i] != NULL; i++)
		if (same_word(text, n, missing_words[i])) return 1;
	return n == 0;
}

static int number_missing(double x) {
	size_t i;
	for (i = 0; i < sizeof missing_numbers / sizeof *missing_numbers; i++)
		if (x == missing_numbers[i]) return 1;
	return isnan(x) != 0;
}

static int test_text_missing(const char *text, int complete) {
	return text_missing(text) ? (complete ? -1 : 1) : 0;
}

static int test_number_missing(double x, int complete) {
	return number_missing(x) ? (complete ? -1 : 1) : 0;
}

static int test_is(const char *text, int complete, const char *value) {
	size_t n;
	if (text_missing(text)) return complete ? -1 : 0;
	n = trimmed(&text);
	return n == strlen(value) && memcmp(text, value, n) == 0;
}

static int test_among(const char *text, int complete, const char *const *values) {
	int is = test_is(text, complete, *values);
	while (is == 0 && *++values != NULL) is = test_is(text, complete, *values);
	return is;
}

static int test_true(double x, int complete) {
	if (isnan(x)) return complete ? -1 : 0;
	return x == 1 ? 1 : x == 0 ? 0 : -1;
}

static int test_equals(double x, int complete, double value) {
	if (number_missing(x)) return complete ? -1 : 0;
	return x == value;
}

static int test_at_least_below(double x, int complete, double low, double high) {
	if (number_missing(x)) return complete ? -1 : 0;
	return low <= x && (x < high || high == INFINITY);
}

static int test_above_at_most(double x, int complete, double low, double high) {
	if (number_missing(x)) return complete ? -1 : 0;
	return (low < x || low == -INFINITY) && x <= high;
}
