// Package groups finds out which members many instances have, in fewer searches than there
// are members.
//
// # The question
//
// A search of eNMS can be made by a relation: "all services that are in workflow A", or
// "in any of A, B and C". Its rows do not tell which of the three it was. To learn the
// workflows of every service, a client searches once for each workflow, or gets each
// service. Groups take fewer searches, because most services are in one workflow only.
//
// # The idea
//
// Write 25 workflows into a square. Search for each column, and for each diagonal, which
// leaves the square on the left and returns on the right:
//
//	    columns               diagonals
//	c0 c1 c2 c3 c4         d0 d1 d2 d3 d4
//	 0  1  2  3  4          0  1  2  3  4     10 searches instead of 25.
//	 5  6  7  8  9          9  5  6  7  8
//	10 11 12 13 14         13 14 10 11 12     A service that is found in c3 and d4, and
//	15 16 17 18 19         17 18 19 15 16     nowhere else, is in workflow 8.
//	20 21 22 23 24         21 22 23 24 20
//
// A service in two workflows, 8 and 21, is found in c3, c1, d4 and d0. So would be one in 13
// and 16. A third direction, which steps two columns to the left with each row, tells them
// apart. In direction x, a workflow is on the line number (column + x·row) modulo 5. Two
// workflows are on a common line in at most one direction: if they were in two, the side of
// the square could not be a prime number.
//
// That gives the rule. To learn of services that are in up to n workflows, search in n + 1
// directions. Take a workflow that the service is not in: it is on n + 1 lines, and each
// workflow that the service is in is on at most one of them. At least one line is left on
// which the service is not found. Therefore:
//
//	a service is in exactly those workflows on all lines of which it is found.
//
// A service in more than n workflows is noticed: more than n workflows fit, or the lines of
// those that fit are not the lines that it was found on. It is returned as unclear, as is
// one about which the answers contradict each other. The caller gets it by itself.
//
// # More than a square
//
// The row and the column are the two digits of the workflow's number, in base 5. With three
// digits a, b and c, the line in direction x is (a + b·x + c·x²) modulo 5. Two workflows then
// have a common line in at most two directions, because a polynomial of degree 2 has at most
// two zeros. So 2n + 1 directions do: 125 workflows take 15 searches instead of 125. [For]
// chooses the side and the number of digits that take the fewest searches.
//
// # In the code
//
// A [Scheme] has a side, directions and digits; a line of it is a group. [Scheme.Split] makes
// the groups, [Scheme.Decode] reads the answers, and [Scheme.Extended] adds directions where
// that costs less than to get what is unclear.
//
// BenchmarkRelations of package enms counts the requests with groups and without. For 100
// services, each in a workflow of its own, they are 18 and 153; if most are in two workflows,
// 28 and 153. Run it with
//
//	go test -run '^$' -bench Relations -benchtime 1x ./internal/enms
package groups
