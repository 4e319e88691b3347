package testgen

// Critical are seeds for [Ties] whose instances have a critical tie: some
// prefix B of the optimal list and another prefix A, longer than B or, as
// long, lexicographically larger, such that
//
//	cost(A) + the weight of what A leaves and B does not  =  cost(B).
//
// A solver that lets A stand for B there, because it breaks ties by the wrong
// rule, loses the optimal list. One instance in hundreds is of that kind, so
// random ones seldom show the mistake. These are the first in which A is
// longer, and some of the others.
var Critical = []uint64{
	18, 41, 69, 103, 110, 136, 202, 215, 224, 234, 248, 263, 282, 302, 321, 324, 336, 350,
	365, 369, 370, 372, 388, 398, 414, 419, 422, 430, 431, 450, 451, 453, 455, 459, 500,
	513, 515, 544, 550, 559, 562, 750, 761, 1135, 1467, 2178, 2233, 2324, 2381, 2475, 2558,
	2760, 2784, 3125, 3245, 3334, 3409, 3712, 3795, 4318, 4346, 4681, 4958, 5135, 5221,
	5314, 5373, 5387, 5946, 6015, 6204, 6340, 6395, 6415, 6430, 6669, 6885, 7530, 7909,
	8052, 8247, 8257, 8351, 8944, 9254, 9342, 9491, 9516, 9521, 9691, 9840, 9857, 10080,
	10727, 10932, 11004, 11170, 11273, 11361, 11392, 12163, 12200, 12301, 12397, 12863,
	13041, 13293, 13451, 13565, 13623,
}
