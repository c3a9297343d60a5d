package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// VariantNames lists the demo's variants for a reader of --help.
func VariantNames() string {
	var healthy, faulty []string
	for _, v := range Variants() {
		if v.Healthy {
			healthy = append(healthy, v.Name)
		} else {
			faulty = append(faulty, v.Name)
		}
	}
	return strings.Join(healthy, ", ") + "; or with one fault: " + strings.Join(faulty, ", ")
}

// KnownVariant refuses a variant that the demo does not have.
func KnownVariant(name string) error {
	names := []string{""}
	for _, v := range Variants() {
		names = append(names, v.Name)
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("--variant %s is unknown%s; accepted: %s", name, text.Hint(name, names[1:]), VariantNames())
	}
	return nil
}

// VariantsNamed returns the demo's variants of these names, or all of them.
func VariantsNamed(names []string) ([]Variant, error) {
	if len(names) == 0 {
		return Variants(), nil
	}
	var out []Variant
	for _, name := range names {
		if err := KnownVariant(name); err != nil {
			return nil, err
		}
		for _, v := range Variants() {
			if v.Name == name {
				out = append(out, v)
			}
		}
	}
	return out, nil
}
