import { type KeyObject, createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';

/** A key of an account, of which everybody may know the public half. */
export interface AsymmetricKey {
  /** RFC 7638: the same key has the same id everywhere. */
  readonly id: string;
  /** As a JWK (RFC 8037) writes it: 32 bytes in base64url. */
  readonly x: string;
  /** The same for libraries of Standard Webhooks. */
  readonly whpk: string;
  /** Ed25519, in base64. */
  readonly sign: (content: Buffer) => string;
}

/** Each is one more signature of a delivery. */
const MAX_KEYS = 5;
const SEED_BYTES = 32;
/** RFC 8410: what stands before the seed of an Ed25519 key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The keys of an account, made of those of `SECRETS_KEY`, the newest first: they are nowhere stored, and all processes have the
 * same. A new SECRETS_KEY signs beside the older ones until the operator takes those away, so keys overlap. Each account
 * has its own: with one for all, whoever has an account here could have signed events sent to the receiver of another.
 */
export function asymmetricKeysOf(secretsKeys: readonly { readonly key: Buffer }[], accountId: string): AsymmetricKey[] {
  return secretsKeys.slice(0, MAX_KEYS).map(({ key }) => {
    const seed = Buffer.from(hkdfSync('sha256', key, accountId, 'deskwire ed25519 webhook signatures', SEED_BYTES));
    return keyOf(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' }));
  });
}

function keyOf(privateKey: KeyObject): AsymmetricKey {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const id = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return {
    id,
    x,
    whpk: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
    sign: (content) => sign(null, content, privateKey).toString('base64'),
  };
}
