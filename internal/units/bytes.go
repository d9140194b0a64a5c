// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package units

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// unit is one IEC step: its name and the power of two that it stands for.
type unit struct {
	name  string
	shift uint
}

// unitsDown lists the IEC units from the largest that fits 63 bits to the smallest.
var unitsDown = []unit{
	{"EiB", 60}, {"PiB", 50}, {"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10},
}

// maxDecimals bounds the decimals that [FormatBytes] prints: beyond three a
// smaller unit reads better.
const maxDecimals = 3

var (
	maxInt64 = big.NewInt(1<<63 - 1)
	ten      = big.NewInt(10)
)

// ParseBytes reads a number of bytes: plain ("1048576", "1048576 B") or with an
// IEC unit ("10GiB", "1.5 TiB"). The text must stand for a whole number of bytes
// from 0 to 2^63-1. Units are KiB, MiB, GiB, TiB, PiB and EiB, in any case.
//
// It refuses K, M, G and the like without "iB", and KB, MB, GB, because programs
// disagree on whether they are powers of 1000 or of 1024; the error says which
// unit to write instead.
func ParseBytes(text string) (int64, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return 0, errors.New("is empty: write a number of bytes, such as 1073741824, or one with an IEC unit, such as 1GiB")
	}
	digits := strings.IndexFunc(trimmed, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if digits < 0 {
		digits = len(trimmed)
	}
	number, suffix := trimmed[:digits], strings.TrimSpace(trimmed[digits:])
	if number == "" {
		return 0, fmt.Errorf("%q is not a number of bytes: it must begin with a digit and may not be negative", text)
	}
	shift, err := parseUnit(suffix)
	if err != nil {
		return 0, err
	}
	return scale(text, number, shift)
}

// scale multiplies a decimal text by 2^shift without ever leaving the integers.
func scale(text, number string, shift uint) (int64, error) {
	whole, fraction, pointed := strings.Cut(number, ".")
	if whole == "" || (pointed && fraction == "") || strings.Contains(fraction, ".") {
		return 0, fmt.Errorf("%q is not a number of bytes: write digits, at most one point between them, and a unit", text)
	}
	if len(number) > 60 {
		return 0, fmt.Errorf("%q has too many digits for a number of bytes", text)
	}
	mantissa, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return 0, fmt.Errorf("%q is not a number of bytes", text)
	}
	mantissa.Lsh(mantissa, shift)
	divisor := new(big.Int).Exp(ten, big.NewInt(int64(len(fraction))), nil)
	bytes, rest := new(big.Int).QuoRem(mantissa, divisor, new(big.Int))
	if rest.Sign() != 0 {
		return 0, fmt.Errorf("%q is not a whole number of bytes", text)
	}
	if bytes.Cmp(maxInt64) > 0 {
		return 0, fmt.Errorf("%q is more than 9223372036854775807 bytes, the most that Kafka can count", text)
	}
	return bytes.Int64(), nil
}

// parseUnit maps a suffix to its power of two.
func parseUnit(suffix string) (uint, error) {
	switch strings.ToLower(suffix) {
	case "", "b", "byte", "bytes":
		return 0, nil
	}
	for _, u := range unitsDown {
		if strings.EqualFold(suffix, u.name) {
			return u.shift, nil
		}
	}
	for _, u := range unitsDown {
		initial := u.name[:1]
		if strings.EqualFold(suffix, initial) || strings.EqualFold(suffix, initial+"B") || strings.EqualFold(suffix, initial+"i") {
			return 0, fmt.Errorf("unit %q is read as a power of 1000 by some programs and of 1024 by others: write %s for 1024-based units, or the plain number of bytes", suffix, u.name)
		}
	}
	return 0, fmt.Errorf("unit %q is not known: use B, KiB, MiB, GiB, TiB, PiB or EiB", suffix)
}

// FormatBytes prints n exactly, in the largest IEC unit that needs no more than
// three decimals, else in bytes: 1610612736 is "1.5 GiB", 1073741825 is
// "1073741825 B". [ParseBytes] reads every such text back to n. A negative n
// (free space may be negative) keeps its sign.
func FormatBytes(n int64) string {
	magnitude := new(big.Int).Abs(big.NewInt(n))
	sign := ""
	if n < 0 {
		sign = "-"
	}
	for _, u := range unitsDown {
		one := new(big.Int).Lsh(big.NewInt(1), u.shift)
		if magnitude.Cmp(one) < 0 {
			continue
		}
		thousandths := new(big.Int).Mul(magnitude, big.NewInt(1000))
		quotient, rest := thousandths.QuoRem(thousandths, one, new(big.Int))
		if rest.Sign() == 0 {
			return sign + trimDecimals(quotient, maxDecimals) + " " + u.name
		}
	}
	return sign + magnitude.String() + " B"
}

// trimDecimals prints value/10^decimals without trailing zeros.
func trimDecimals(value *big.Int, decimals int) string {
	text := value.String()
	for len(text) <= decimals {
		text = "0" + text
	}
	whole, fraction := text[:len(text)-decimals], strings.TrimRight(text[len(text)-decimals:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// Readable prints n for people: one decimal of the largest fitting IEC unit, cut
// and not rounded. It loses bytes, so the exact number belongs beside it.
func Readable(n *big.Int) string {
	return ReadableAs(n, n)
}

// ReadableAs prints n in the unit that [Readable] would take for another number,
// so that the lines of a table can be subtracted by eye: a sum of terabytes beside
// a difference of gigabytes is told in gigabytes.
func ReadableAs(n, other *big.Int) string {
	for _, u := range unitsDown {
		one := new(big.Int).Lsh(big.NewInt(1), u.shift)
		if other.CmpAbs(one) < 0 {
			continue
		}
		tenths := new(big.Int).Mul(new(big.Int).Abs(n), ten)
		tenths.Quo(tenths, one)
		whole, tenth := new(big.Int).QuoRem(tenths, ten, new(big.Int))
		if n.Sign() < 0 {
			return "-" + Grouped(whole) + "." + tenth.String() + " " + u.name
		}
		return Grouped(whole) + "." + tenth.String() + " " + u.name
	}
	return Grouped(n) + " B"
}

// Grouped prints n with a comma between each group of three digits.
func Grouped(n *big.Int) string {
	digits := new(big.Int).Abs(n).String()
	var out strings.Builder
	if n.Sign() < 0 {
		out.WriteByte('-')
	}
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	return out.String()
}
