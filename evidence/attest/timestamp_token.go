package attest

import (
	"bytes"
	"crypto"
	_ "crypto/sha1"   //nolint:gosec // names a certificate in tokens of RFC 3161; nothing is signed with it
	_ "crypto/sha512" // others than SHA-256 that an authority may choose
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"slices"

	"github.com/digitorus/pkcs7"
	"github.com/digitorus/timestamp"
)

// maxDepth bounds how deep the parts of a token lie in each other.
const maxDepth = 32

var (
	idTSTInfo       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}  // RFC 3161, 2.4.2
	idSigningCert   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 12} // RFC 2634, 5.4: by SHA-1
	idSigningCertV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47} // RFC 5035, 3
	idKeyUsages     = asn1.ObjectIdentifier{2, 5, 29, 37}                       // RFC 5280, 4.2.1.12
)

// wellFormed fails unless data is one element of DER, and all within it are. The
// libraries that read tokens take more, and can panic on it.
func wellFormed(data []byte, depth int) error {
	if len(data) > maxToken {
		return fmt.Errorf("it is longer than %d bytes", maxToken)
	}
	rest, err := skipElement(data, depth)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow it", len(rest))
	}
	return err
}

func skipElement(data []byte, depth int) (rest []byte, err error) {
	var v asn1.RawValue
	if rest, err = asn1.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	if depth == 0 || v.Tag > 30 {
		return nil, errors.New("it holds what no token holds")
	}
	for inner := v.Bytes; v.IsCompound && len(inner) > 0; {
		if inner, err = skipElement(inner, depth-1); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// recoverPanic turns a panic of a library that reads hostile bytes into an error.
func recoverPanic(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: it can't be read: %v", ErrStamp, r)
	}
}

// readToken returns what a token says, who signed it, and the certificates that
// came with it. The signature is checked, but not who certifies the signer.
func readToken(token []byte) (*timestamp.Timestamp, *x509.Certificate, []*x509.Certificate, error) {
	if err := wellFormed(token, maxDepth); err != nil {
		return nil, nil, nil, fmt.Errorf("it is no DER: %w", err)
	}
	signed, err := pkcs7.Parse(token)
	if err != nil {
		return nil, nil, nil, err
	}
	cert := signed.GetOnlySigner()
	if cert == nil {
		return nil, nil, nil, errors.New("it has no signer with a certificate, or more than one")
	}
	stamp, err := timestamp.Parse(token) // checks the signature
	if err != nil {
		return nil, nil, nil, err
	}
	if err := checkSignedAttributes(signed, cert); err != nil {
		return nil, nil, nil, err
	}
	return stamp, cert, signed.Certificates, checkPurpose(cert)
}

// checkSignedAttributes checks what must be signed beside the content (RFC 3161, 2.4.2): its
// type, and which certificate signs.
func checkSignedAttributes(signed *pkcs7.PKCS7, cert *x509.Certificate) error {
	var kind asn1.ObjectIdentifier
	if err := signed.UnmarshalSignedAttribute(pkcs7.OIDAttributeContentType, &kind); err != nil || !kind.Equal(idTSTInfo) {
		return fmt.Errorf("it is signed as %s, and not as a time-stamp", kind)
	}
	switch digest := signed.Signers[0].DigestAlgorithm.Algorithm; {
	case digest.Equal(pkcs7.OIDDigestAlgorithmSHA256), digest.Equal(pkcs7.OIDDigestAlgorithmSHA384), digest.Equal(pkcs7.OIDDigestAlgorithmSHA512):
	default:
		return fmt.Errorf("its signature rests on the hash %s, which is too weak or not known here", digest)
	}
	named, hash, err := namedCertificate(signed)
	if err != nil {
		return err
	}
	sum := hash.New()
	_, _ = sum.Write(cert.Raw) // never fails
	if !bytes.Equal(named, sum.Sum(nil)) {
		return errors.New("it names another certificate than the one that signs")
	}
	return nil
}

// namedCertificate returns the hash of the certificate that the signer says it
// signs with.
func namedCertificate(signed *pkcs7.PKCS7) ([]byte, crypto.Hash, error) {
	var second struct {
		Certs []struct {
			Algorithm pkix.AlgorithmIdentifier `asn1:"optional"` // SHA-256 where none is said
			Hash      []byte
		}
	}
	if err := signed.UnmarshalSignedAttribute(idSigningCertV2, &second); err == nil && len(second.Certs) > 0 {
		switch first := second.Certs[0]; {
		case len(first.Algorithm.Algorithm) == 0, first.Algorithm.Algorithm.Equal(pkcs7.OIDDigestAlgorithmSHA256):
			return first.Hash, crypto.SHA256, nil
		case first.Algorithm.Algorithm.Equal(pkcs7.OIDDigestAlgorithmSHA384):
			return first.Hash, crypto.SHA384, nil
		case first.Algorithm.Algorithm.Equal(pkcs7.OIDDigestAlgorithmSHA512):
			return first.Hash, crypto.SHA512, nil
		}
	}
	var first struct{ Certs []struct{ Hash []byte } }
	if err := signed.UnmarshalSignedAttribute(idSigningCert, &first); err == nil && len(first.Certs) > 0 {
		return first.Certs[0].Hash, crypto.SHA1, nil
	}
	return nil, 0, errors.New("it doesn't say which certificate signs it")
}

// checkPurpose checks the certificate's purpose (RFC 3161, 2.3): one, and
// marked as critical.
func checkPurpose(cert *x509.Certificate) error {
	critical := slices.ContainsFunc(cert.Extensions, func(e pkix.Extension) bool { return e.Id.Equal(idKeyUsages) && e.Critical })
	if !slices.Equal(cert.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}) || len(cert.UnknownExtKeyUsage) > 0 || !critical {
		return fmt.Errorf("the certificate of %q is not for time-stamps alone", cert.Subject.String())
	}
	return nil
}
