// Written by go test -run TestTrain -train. DO NOT EDIT.

package evolve

// atLeast are the chances at which a relation is told.
var atLeast = least{0.55, 0.70, 0.45, 0.50}

// weights are those of the features, in their order: for none, update, contradict.
var weights = []weight{
	{1.626, -1.144, -0.482}, // always
	{0.101, 0.228, -0.329},  // rule update
	{-0.229, 0.241, -0.012}, // rule update, same subject
	{-0.44, -0.122, 0.562},  // rule contradict
	{0.095, -0.173, 0.078},  // rule contradict, denied
	{-0.103, 0.094, 0.01},   // rule contradict, figure
	{-0.245, -0.027, 0.272}, // rule contradict, value or word
	{-0.444, 0.129, 0.315},  // old covered
	{-0.309, 0.032, 0.276},  // new covered
	{-0.348, 0.145, 0.203},  // same subject
	{1.185, -0.385, -0.801}, // other subject
	{0.412, -0.707, 0.295},  // same verb
	{0.092, -0.052, -0.04},  // other verb
	{-0.261, -0.1, 0.361},   // one word only in old
	{0.39, -0.072, -0.319},  // many words only in old
	{0.01, -0.253, 0.244},   // no word only in new
	{-0.207, -0.04, 0.247},  // one word only in new
	{0.026, 0.223, -0.249},  // many words only in new
	{0.361, -0.316, -0.045}, // one word for one
	{-0.262, -0.268, 0.531}, // one place
	{-0.167, -0.177, 0.344}, // like length
	{-0.408, 0.448, -0.04},  // new longer
	{-0.174, -0.027, 0.201}, // other person
	{-0.302, 0.774, -0.472}, // new name
	{0.271, 0.023, -0.294},  // a person
	{-0.241, 1.005, -0.764}, // change about it
	{-0.363, 0.538, -0.174}, // change in new
	{0.382, -0.644, 0.262},  // change in old
	{-0.278, 0.587, -0.31},  // phrase of change
	{0.091, 0.22, -0.312},   // recent
	{-0.033, 0.139, -0.106}, // perfect
	{0.398, -0.867, 0.469},  // old in the past
	{-0.299, 0.639, -0.34},  // new dated
	{0.195, 0.114, -0.309},  // old dated
	{0.215, 0.091, -0.306},  // other occasion
	{0.419, -0.05, -0.369},  // also
	{0.617, 0.163, -0.781},  // same figure
	{-0.249, 0.566, -0.316}, // other figure
	{-0.021, -0.267, 0.288}, // one denies
	{0.794, -0.069, -0.725}, // both deny
	{-0.321, -0.03, 0.351},  // contrary sign
	{-0.196, -0.126, 0.321}, // old exclusive
	{-0.25, 0.066, 0.184},   // other quantity
	{0.405, -0.103, -0.302}, // other condition
	{0.15, -0.005, -0.146},  // other addition
	{0.678, 0.022, -0.7},    // narrower
	{0.289, 0.02, -0.309},   // old supposed
	{0.122, -0.255, 0.133},  // slot without change
	{0.069, -0.176, 0.107},  // slot with change
	{-0.233, 0.565, -0.332}, // covered with change
	{-0.096, -0.271, 0.367}, // covered with contrary sign
	{-0.253, 0.236, 0.017},  // covered with other figure
	{0.458, -0.067, -0.39},  // adds
	{0.177, -0.043, -0.134}, // place of a person
	{-0.73, -0.179, 0.909},  // place led to
	{-0.241, -0.118, 0.359}, // place of a name
	{-0.13, 0.472, -0.342},  // since or until
	{-0.289, 0.872, -0.583}, // again
	{0.106, 0.088, -0.194},  // now
	{-0.729, 0.148, 0.581},  // any or every
	{-0.523, 0.12, 0.403},   // one exclusive
	{0.511, -0.514, 0.003},  // change of other subject
	{0.006, -0.382, 0.376},  // both rules
	{-0.283, 0.257, 0.026},  // with exception
	{0.303, -0.146, -0.157}, // old denies
	{0.038, 0.174, -0.212},  // rules not asked
}
