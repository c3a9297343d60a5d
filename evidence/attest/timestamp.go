package attest

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"time"

	"github.com/digitorus/timestamp"
)

// ErrStamp marks a time-stamp that proves nothing.
var ErrStamp = errors.New("the time-stamp is not valid")

// maxToken bounds a token and an authority's answer, in bytes.
const maxToken = 64 << 10

// Stamp asks an authority when data existed (RFC 3161 over HTTP, section 3.4),
// and returns its token in DER. Only the SHA-256 of data is sent. The token was
// checked, but for who signed it: see [CheckStamp].
func Stamp(ctx context.Context, client *http.Client, authority string, data []byte, random io.Reader) (_ []byte, err error) {
	defer explain(&err, "time-stamp of "+authority)
	number := make([]byte, 8)
	if _, err := io.ReadFull(random, number); err != nil {
		return nil, fmt.Errorf("make a random number: %w", err)
	}
	number[0] |= 1 // no authority may take it for a shorter number
	sum := sha256.Sum256(data)
	wanted := timestamp.Request{HashAlgorithm: crypto.SHA256, HashedMessage: sum[:], Certificates: true, Nonce: new(big.Int).SetBytes(number)}
	query, err := wanted.Marshal()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, authority, bytes.NewReader(query))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/timestamp-query")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxToken+1))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %s: check the address", response.Status)
	}
	token, err := grantedToken(answer, wanted.Nonce)
	if err != nil {
		return nil, fmt.Errorf("%w (it answered %d bytes of %q)", err, len(answer), response.Header.Get("Content-Type"))
	}
	if _, _, err := CheckStamp(token, data, nil); err != nil {
		return nil, err
	}
	return token, nil
}

// grantedToken returns the token of an answer to the request with that nonce.
func grantedToken(answer []byte, nonce *big.Int) (token []byte, err error) {
	defer recoverPanic(&err)
	if err := wellFormed(answer, maxDepth); err != nil {
		return nil, fmt.Errorf("%w: the answer is no RFC 3161 response: check the address: %w", ErrStamp, err)
	}
	stamp, err := timestamp.ParseResponse(answer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStamp, err)
	}
	if stamp.Nonce == nil || stamp.Nonce.Cmp(nonce) != 0 {
		return nil, fmt.Errorf("%w: it answers another request", ErrStamp)
	}
	return stamp.RawToken, nil
}

// NotPinned ends the name of a signer whom no given authority certifies.
const NotPinned = " (not pinned)"

// CheckStamp returns the time at which a token in DER says that data existed,
// and the name of who signed it. It fails with [ErrStamp] unless the token is
// signed, by one certificate that is for time-stamps alone (RFC 3161, 2.3), and
// is about data. With authorities, these certify that certificate at the
// token's time; without, anybody may have signed, and the name ends in
// [NotPinned]. Revocation is not looked up.
func CheckStamp(token, data []byte, authorities *x509.CertPool) (at time.Time, signer string, err error) {
	defer recoverPanic(&err)
	stamp, cert, chain, err := readToken(token)
	if err != nil {
		return time.Time{}, "", fmt.Errorf("%w: %w", ErrStamp, err)
	}
	sum := sha256.Sum256(data)
	if stamp.HashAlgorithm != crypto.SHA256 || !bytes.Equal(stamp.HashedMessage, sum[:]) {
		return time.Time{}, "", fmt.Errorf("%w: it is about other data", ErrStamp)
	}
	if stamp.Time.Before(cert.NotBefore) || stamp.Time.After(cert.NotAfter) {
		return time.Time{}, "", fmt.Errorf("%w: it is of %s, and its certificate holds from %s to %s", ErrStamp,
			stamp.Time.UTC().Format(time.RFC3339), cert.NotBefore.UTC().Format(time.RFC3339), cert.NotAfter.UTC().Format(time.RFC3339))
	}
	if authorities == nil {
		return stamp.Time.UTC(), cert.Subject.String() + NotPinned, nil
	}
	between := x509.NewCertPool()
	for _, c := range chain {
		between.AddCert(c)
	}
	if _, err := cert.Verify(x509.VerifyOptions{
		Roots: authorities, Intermediates: between, CurrentTime: stamp.Time, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping},
	}); err != nil {
		return time.Time{}, "", fmt.Errorf("%w: no given authority certifies %q: %w", ErrStamp, cert.Subject.String(), err)
	}
	return stamp.Time.UTC(), cert.Subject.String(), nil
}
