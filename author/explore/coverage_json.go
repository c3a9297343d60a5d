package explore

import (
	"encoding/binary"
	"encoding/json"
	"errors"
)

// stored is a script as a sum is stored.
type stored struct {
	Length int      `json:"length"`
	Ran    []byte   `json:"ran"` // a bit for each character
	Blocks [][2]int `json:"blocks"`
}

// MarshalJSON writes a sum, to go on with it later.
func (s *CoverageSum) MarshalJSON() ([]byte, error) {
	out := map[string]stored{}
	for address, one := range s.scripts {
		record := stored{Length: one.length}
		for _, word := range one.ran {
			record.Ran = binary.LittleEndian.AppendUint64(record.Ran, word)
		}
		for b := range one.blocks {
			record.Blocks = append(record.Blocks, b)
		}
		out[address] = record
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *CoverageSum) UnmarshalJSON(data []byte) error {
	in := map[string]stored{}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	s.scripts = map[string]*script{}
	for address, record := range in {
		one := &script{blocks: map[[2]int]bool{}}
		if record.Length < 0 || record.Length > maxScript || len(record.Ran) != (record.Length+63)/64*8 {
			return errors.New("coverage: a script is as long as no script is")
		}
		one.grow(record.Length)
		for i := range one.ran {
			one.ran[i] = binary.LittleEndian.Uint64(record.Ran[8*i:])
		}
		for _, b := range record.Blocks {
			one.blocks[b] = true
		}
		s.scripts[address] = one
	}
	return nil
}
