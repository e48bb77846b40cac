import { type KeyObject, createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import type { AsymmetricKey } from './signature.js';

/** Each key signs every delivery. */
const MAX_KEYS = 5;
const SEED_BYTES = 32;
/** PKCS #8 header of an Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Derived from SECRETS_KEY, so they are stored nowhere and the same in all processes. Old keys sign until the operator
 * removes them. With a shared key, one receiver could pass its deliveries on to another.
 */
export function asymmetricKeysOf(secretsKeys: readonly { readonly key: Buffer }[], webhookId: string): AsymmetricKey[] {
  return secretsKeys.slice(0, MAX_KEYS).map(({ key }) => {
    const seed = Buffer.from(hkdfSync('sha256', key, webhookId, 'deskwire ed25519 key of a webhook', SEED_BYTES));
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
