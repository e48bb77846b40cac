import { inProduction, isExposed } from './exposure.js';
import { Derived, type Environment, type Setting, list } from './setting.js';

export type SealingKey = { readonly id: string; readonly key: Buffer };

/** Not secret: it is part of the source. */
const PUBLISHED: SealingKey = { id: 'development', key: Buffer.alloc(32, 'deskwire development only') };

/** About 30 of 32 random bytes differ. Fewer than this are as unlikely as guessing 128 bits. */
const MIN_DIFFERENT_BYTES = 8;

const MAKE_ONE = `make one with: node -e "console.log('k1:' + require('crypto').randomBytes(32).toString('base64'))"`;

/** Weak keys are only accepted in development, if no other machine has access. */
export const sealingKeys = (doc: string): Setting<readonly SealingKey[]> => {
  const { read, ...rest } = list(doc, PUBLISHED_IN_DEVELOPMENT, sealingKey);
  return {
    ...rest,
    read: (text, environment) => {
      const keys = read(text, environment);
      if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('must give every key its own id');
      if (mustBeStrong(environment)) keys.forEach(assertStrong);
      return keys;
    },
  };
};

const PUBLISHED_IN_DEVELOPMENT = new Derived('', (environment) => {
  if (inProduction(environment))
    throw new Error(`must be set; ${MAKE_ONE}. Only NODE_ENV=development needs none, on your own machine`);
  if (isExposed(environment))
    throw new Error(`must be set, because HOST or PUBLIC_URL gives other machines access; ${MAKE_ONE}`);
  return [PUBLISHED];
});

const mustBeStrong = (environment: Environment): boolean => inProduction(environment) || isExposed(environment);

function assertStrong({ key }: SealingKey): void {
  if (key.equals(PUBLISHED.key))
    throw new Error(`must not contain the key that is published with the source; ${MAKE_ONE}`);
  if (new Set(key).size < MIN_DIFFERENT_BYTES) throw new Error(`must contain random keys only; ${MAKE_ONE}`);
}

function sealingKey(part: string): SealingKey {
  const [, id, encoded] = /^([\w-]{1,32}):(.+)$/.exec(part) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (!id || key.length !== 32) throw new Error('must be a list of id:base64 with 32 bytes each');
  return { id, key };
}
