import { describe, expect, it } from 'vitest';
import { nullableText, time } from './json-schema.js';
import type { Links } from './links.js';
import { recordPayload } from './record-payload.js';

interface Row {
  readonly name?: string;
  readonly createdAt?: Date;
}

const payload = recordPayload<Row>('A record.', { name: [nullableText(), 'name'], created_at: [time, 'createdAt'] });
const links = {} as Links;

describe('recordPayload', () => {
  it('shows null for what its schema allows to be missing', () => {
    const createdAt = new Date(0);

    expect(payload({ createdAt }, links)).toEqual({ name: null, created_at: createdAt });
  });

  it('throws if a row lacks a promised value', () => {
    expect(() => payload({ name: 'x' }, links)).toThrow('created_at');
  });
});
