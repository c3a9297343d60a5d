package kpitest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Vector is a line of numbers.txt: what a text says that is asked about as one number.
type Vector struct {
	Text, Lang string // of the empty language none is declared
	Value      string // NotANumber, or in decimals
}

// NotANumber is the value of a text that says no number for sure.
const NotANumber = "not a number"

// Vectors reads numbers.txt from the tree that the working directory is in.
func Vectors() ([]Vector, error) {
	raw, err := fromTree(filepath.Join("qa", "kpi", "testdata", "numbers.txt"))
	if err != nil {
		return nil, err
	}
	var out []Vector
	for line := range strings.Lines(raw) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "# ") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("numbers.txt: the line %q has %d fields, not 3 parted by tabs", line, len(fields))
		}
		out = append(out, Vector{fields[0], strings.TrimPrefix(fields[1], "-"), fields[2]})
	}
	return out, nil
}

// fromTree reads a file of the tree that the working directory is in.
func fromTree(name string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for up := dir; ; up = filepath.Dir(up) {
		raw, err := os.ReadFile(filepath.Join(up, name))
		if err == nil || !os.IsNotExist(err) || up == filepath.Dir(up) {
			return string(raw), err
		}
	}
}
