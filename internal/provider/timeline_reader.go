// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// timelineError is an input that cannot be used.
type timelineError struct {
	attribute string
	within    string // where in it, such as "[3].bytes"
	reason    error
}

// Error names the input.
func (e *timelineError) Error() string {
	return fmt.Sprintf("%s%s: %v", e.attribute, e.within, e.reason)
}

// Unwrap returns the reason.
func (e *timelineError) Unwrap() error {
	return e.reason
}

const (
	// mostAmount is the largest number that a timeline takes; it reckons with sums of a few of them.
	mostAmount = 1 << 60
	// latestMomentMs is the end of the year 9999, behind which no moment can be written.
	latestMomentMs = 253402300799999
)

// timelineReader reads inputs one by one and keeps the first that cannot be used.
type timelineReader struct {
	attributes map[string]attr.Value
	err        *timelineError
}

// fail keeps the first failure.
func (r *timelineReader) fail(attribute string, reason error) {
	r.failWithin(attribute, "", reason)
}

// failWithin is a failure somewhere in an input.
func (r *timelineReader) failWithin(attribute, within string, reason error) {
	if r.err == nil && reason != nil {
		r.err = &timelineError{attribute, within, reason}
	}
}

// failure is what failed first, if anything did.
func (r *timelineReader) failure() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// failedIn takes over what failed in an object that stands in an input.
func (r *timelineReader) failedIn(attribute, within string, object *timelineReader) {
	if object.err != nil {
		r.failWithin(attribute, within+"."+object.err.attribute+object.err.within, object.err.reason)
	}
}

// given says that an input is there.
func (r *timelineReader) given(name string) bool {
	return !isNull(r.attributes[name])
}

// text reads an input as text.
func (r *timelineReader) text(name string) (string, bool) {
	text, given, err := textOf(name, r.attributes[name])
	if err != nil {
		r.fail(name, errors.New("must be a text, a number or a boolean"))
	}
	return text, given && err == nil
}

// whole reads a whole number within bounds.
func (r *timelineReader) whole(name string, fallback, least, most int64) int64 {
	text, given := r.text(name)
	if !given {
		return fallback
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil && n > most, errors.Is(err, strconv.ErrRange) && n > 0:
		r.fail(name, fmt.Errorf("must be at most %d, got %s", most, text))
	case err != nil || n < least:
		r.fail(name, fmt.Errorf("must be a whole number of at least %d, got %s", least, text))
	default:
		return n
	}
	return fallback
}

// span reads a span of time in milliseconds.
func (r *timelineReader) span(name string, fallback int64) int64 {
	text, given := r.text(name)
	if !given {
		return fallback
	}
	ms, err := units.ParseMs(text)
	if err == nil && ms > mostAmount {
		err = fmt.Errorf("must be at most %d ms, got %s", int64(mostAmount), text)
	}
	if err != nil {
		r.fail(name, err)
		return fallback
	}
	return ms
}

// moment reads a moment in milliseconds since 1970.
func (r *timelineReader) moment(name string, fallback int64) int64 {
	text, given := r.text(name)
	if !given {
		return fallback
	}
	moment, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case err != nil:
		r.fail(name, fmt.Errorf("%q is no moment: write it as 2026-01-31T06:00:00Z", text))
	case moment.UnixMilli() < 0 || moment.UnixMilli() > latestMomentMs:
		r.fail(name, fmt.Errorf("%q is not from 1970 to 9999 in UTC, as Kafka's moments are", text))
	default:
		return moment.UnixMilli()
	}
	return fallback
}

// list reads a list of objects.
func (r *timelineReader) list(name string) []*timelineReader {
	value := r.attributes[name]
	if isNull(value) {
		return nil
	}
	elements, ok := listOf(value)
	if !ok {
		r.fail(name, errors.New("must be a list of objects"))
		return nil
	}
	var objects []*timelineReader
	for i, element := range elements {
		attributes, ok := elementsOf(element)
		if !ok {
			r.failWithin(name, fmt.Sprintf("[%d]", i), errors.New("must be an object"))
			return nil
		}
		object := &timelineReader{attributes: attributes}
		object.holds(timelineParts[name])
		objects = append(objects, object)
	}
	return objects
}

// object reads a nested object; nil where there is none.
func (r *timelineReader) object(name string) *timelineReader {
	if isNull(r.attributes[name]) {
		return nil
	}
	attributes, ok := elementsOf(r.attributes[name])
	if !ok {
		r.fail(name, errors.New("must be an object"))
		return nil
	}
	object := &timelineReader{attributes: attributes}
	object.holds(timelineParts[name])
	return object
}

// holds says what an object has to have and may have: what is left out would be
// guessed, and what is misspelt would be ignored.
func (r *timelineReader) holds(part timelinePart) {
	for _, name := range part.needed {
		if !r.given(name) {
			r.fail(name, errors.New("is missing"))
		}
	}
	known := slices.Concat(part.needed, part.optional)
	for _, name := range slices.Sorted(maps.Keys(r.attributes)) {
		if !slices.Contains(known, name) {
			r.fail(name, fmt.Errorf("is no input: use %s", oneOf(known)))
		}
	}
}

// listOf returns the elements of a list, a set or a tuple.
func listOf(value attr.Value) ([]attr.Value, bool) {
	switch v := value.(type) {
	case types.Dynamic:
		return listOf(v.UnderlyingValue())
	case types.List:
		return v.Elements(), true
	case types.Set:
		return v.Elements(), true
	case types.Tuple:
		return v.Elements(), true
	}
	return nil, false
}
