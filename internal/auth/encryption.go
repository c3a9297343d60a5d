package auth

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

// A sealed file is the header line, 16 bytes of salt, 12 bytes of nonce, and the
// state under AES-256-GCM. Its key is derived by HKDF-SHA256 from the configured
// one and the salt. Authenticated with it are the header, the environment and
// the role: the file of one role can't be used for another.
const (
	sealMark   = "assay-auth "
	sealHeader = sealMark + "v1 aes-256-gcm hkdf-sha256\n"
	saltBytes  = 16
)

func isSealed(data []byte) bool { return bytes.HasPrefix(data, []byte(sealMark)) }

func sealer(key, salt []byte) (cipher.AEAD, error) {
	derived, err := hkdf.Key(sha256.New, key, salt, sealHeader, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	return cipher.NewGCM(block)
}

// sealContext returns what a file is authenticated with. The zero byte is in no name.
func sealContext(env, role string) []byte { return []byte(sealHeader + env + "\x00" + role) }

func seal(state, key []byte, env, role string) ([]byte, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails, see crypto/rand
	gcm, err := sealer(key, salt)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, gcm.NonceSize())
	_, _ = rand.Read(nonce)
	out := append(append([]byte(sealHeader), salt...), nonce...)
	return gcm.Seal(out, nonce, state, sealContext(env, role)), nil
}

func open(data, key []byte, env, role string) ([]byte, error) {
	rest, ok := bytes.CutPrefix(data, []byte(sealHeader))
	if !ok {
		line, _, _ := bytes.Cut(data, []byte("\n"))
		return nil, fmt.Errorf("it is sealed in a way this version does not know: %q", line[:min(len(line), 60)])
	}
	if len(rest) < saltBytes {
		return nil, errors.New("it is cut off")
	}
	gcm, err := sealer(key, rest[:saltBytes])
	if err != nil {
		return nil, err
	}
	rest = rest[saltBytes:]
	if len(rest) < gcm.NonceSize() {
		return nil, errors.New("it is cut off")
	}
	plain, err := gcm.Open(nil, rest[:gcm.NonceSize()], rest[gcm.NonceSize():], sealContext(env, role))
	if err != nil {
		return nil, errors.New("it can't be decrypted: the key is another one, the file was changed, or it belongs to another role or environment")
	}
	return plain, nil
}
