// npm's @sigstore/verify, worked by the Go tests: reads [{envelope, key}, …] on
// stdin, a DSSE envelope and an Ed25519 public key (SPKI in DER, base64) each,
// and prints for each what its signature is over (base64), or null if it is none
// of that key's, as one JSON text.
import { json } from 'node:stream/consumers';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify';

// No log and no authority of sigstore confirms our keys.
const alone = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };
const nobody = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };

const opened = (await json(process.stdin)).map(({ envelope, key }) => {
  const bundle = bundleFromJSON({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: 'key' } },
    dsseEnvelope: envelope,
  });
  const trusted = toTrustMaterial(nobody, { key: { rawBytes: Buffer.from(key, 'base64') } });
  try {
    new Verifier(trusted, alone).verify(toSignedEntity(bundle));
  } catch (error) {
    if (error instanceof VerificationError && error.code === 'SIGNATURE_ERROR') return null;
    throw error;
  }
  return bundle.content.dsseEnvelope.payload.toString('base64');
});
process.stdout.write(JSON.stringify(opened));
