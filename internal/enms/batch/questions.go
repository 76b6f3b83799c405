// This file declares questions, which are answered together.

package batch

import (
	"context"
	"errors"
)

// Questions gather questions that are asked at about the same time. Those with the same key are answered together.
type Questions[K comparable, Q, A any] struct {
	batcher *Batcher[K, *question[Q, A]]
}

// question is a question that waits for its answer.
type question[Q, A any] struct {
	Result
	asked  Q
	answer A
}

// Answer is the answer to a question, or the error in place of one.
type Answer[A any] struct {
	Value A
	Err   error
}

// Answers returns the answers to n questions, one after another, or the same error for all of them.
func Answers[A any](n int, err error, value func(i int) A) []Answer[A] {
	answers := make([]Answer[A], n)
	for i := range answers {
		if answers[i].Err = err; err == nil {
			answers[i].Value = value(i)
		}
	}
	return answers
}

// AnswersOf returns the answer to each of the questions in asked, some of which may be equal: a clone of the one in to.
func AnswersOf[Q comparable, A any](asked []Q, to map[Q]Answer[A], clone func(A) A) []Answer[A] {
	answers := make([]Answer[A], len(asked))
	for i, q := range asked {
		answers[i] = Answer[A]{Value: clone(to[q].Value), Err: to[q].Err}
	}
	return answers
}

// errUnanswered is the error of a question that has no answer.
var errUnanswered = errors.New("there is no answer to the question")

// NewQuestions returns a Questions that calls answer for each batch of questions with one key. answer returns one Answer
// for each element of asked, in that order; its ctx ends when none of the callers waits any longer. most is the largest
// batch. lane is Rules.Lane.
func NewQuestions[K comparable, Q, A any](lanes *Lanes, most int, lane func(key K) string, answer func(ctx context.Context, key K, asked []Q) []Answer[A]) *Questions[K, Q, A] {
	return &Questions[K, Q, A]{New(lanes, Rules[K, *question[Q, A]]{
		Lane: lane, MostOperations: most, Unfinished: errUnanswered,
		Run: func(ctx context.Context, key K, questions []*question[Q, A]) {
			asked := make([]Q, len(questions))
			for i, q := range questions {
				asked[i] = q.asked
			}
			for i, a := range answer(ctx, key, asked) {
				questions[i].answer = a.Value
				questions[i].Finish(a.Err)
			}
		},
	})}
}

// Ask asks a question, and returns the answer, or the error of ctx if ctx ends before.
func (q *Questions[K, Q, A]) Ask(ctx context.Context, key K, asked Q) (answer A, err error) {
	one := &question[Q, A]{asked: asked}
	if err = q.batcher.Do(ctx, key, one); err == nil {
		answer = one.answer // a caller that leaves early must not read it
	}
	return answer, err
}
