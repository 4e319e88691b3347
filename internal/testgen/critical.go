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
	79, 110, 153, 202, 274, 352, 365, 372, 417, 582, 725, 755, 761, 787, 1058, 1072, 1089,
	1135, 1214, 1279, 1312, 1467, 1535, 1596, 1652, 1730, 1789, 1806, 1932, 1947, 2233,
	2324, 2340, 2558, 2735, 2752, 2760, 2890, 2924, 2938, 3110, 3225, 3268, 3334, 3531,
	3537, 3628, 3630, 3663, 3712, 3836, 3862, 3968, 4318, 4652, 4685, 4795, 5353, 5387,
	5654, 6430, 6669, 8387, 8967, 9406, 9491, 10146, 10327, 11392, 12200, 12422, 13675,
	14081, 14550, 16051, 16446, 17270, 19201, 20226, 21762, 23536, 24679, 25654, 25815,
	29136, 29670, 33232, 33906, 36565, 38470, 39829, 41211, 41584, 44449, 45024, 45548,
	46474, 48714, 52400, 52782, 55462, 56212,
}
