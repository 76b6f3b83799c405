// Package mut chooses the one fault that code has while its tests run. The command mutants gives it to the packages
// in which it makes faults: their code asks it at each place whether the fault is made there.
package mut

import (
	"cmp"
	"os"
	"strconv"
	"sync"
)

// The variables of the environment. Fault is the number of the fault; Record is the path of a file to which a process
// appends the number of each fault that it comes to, once.
const (
	Fault  = "MUTANTS_FAULT"
	Record = "MUTANTS_RECORD"
)

var (
	chosen, _ = strconv.Atoi(os.Getenv(Fault))
	record    = open(os.Getenv(Record))
	recorded  = map[int]bool{}
	recording sync.Mutex
)

// open opens the file to append to, or returns nil.
func open(path string) *os.File {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	return file
}

// On reports whether a fault is made.
func On(fault int) bool {
	if record != nil {
		note(fault)
	}
	return fault == chosen
}

func note(fault int) {
	recording.Lock()
	defer recording.Unlock()
	if recorded[fault] {
		return
	}
	recorded[fault] = true
	if _, err := record.WriteString(strconv.Itoa(fault) + "\n"); err != nil {
		panic(err)
	}
}

// Or returns the first value, or the second one with the fault.
func Or[T any](fault int, right, wrong T) T {
	if On(fault) {
		return wrong
	}
	return right
}

// Less is a < b, or a <= b with the fault.
func Less[T cmp.Ordered](fault int, a, b T) bool { return Or(fault, a < b, a <= b) }

// AtMost is a <= b, or a < b with the fault.
func AtMost[T cmp.Ordered](fault int, a, b T) bool { return Or(fault, a <= b, a < b) }

// Greater is a > b, or a >= b with the fault.
func Greater[T cmp.Ordered](fault int, a, b T) bool { return Or(fault, a > b, a >= b) }

// AtLeast is a >= b, or a > b with the fault.
func AtLeast[T cmp.Ordered](fault int, a, b T) bool { return Or(fault, a >= b, a > b) }

// number is what can be calculated with.
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Add is a + b, or a - b with the fault.
func Add[T number](fault int, a, b T) T { return Or(fault, a+b, a-b) }

// Subtract is a - b, or a + b with the fault.
func Subtract[T number](fault int, a, b T) T { return Or(fault, a-b, a+b) }

// Multiply is a * b, or a / b with the fault.
func Multiply[T number](fault int, a, b T) T {
	if On(fault) {
		return a / b
	}
	return a * b
}

// Divide is a / b, or a * b with the fault.
func Divide[T number](fault int, a, b T) T {
	if On(fault) {
		return a * b
	}
	return a / b
}
