import { describe, expect, it } from 'vitest';
import { readOptions } from './options.js';

describe('the launcher options', () => {
  it('passes everything after -- to the command', () => {
    const { servers, command } = readOptions(['run', '--ephemeral', '--', 'vitest', '--ephemeral'], {});

    expect(servers).toBe('ephemeral');
    expect(command).toEqual(['vitest', '--ephemeral']);
  });

  it('listens on this machine only by default', () => {
    expect(readOptions(['start'], {})).toMatchObject({ host: '127.0.0.1', port: 3000, servers: 'persistent' });
    expect(readOptions(['start'], { HOST: '0.0.0.0', PORT: '8080' })).toMatchObject({ host: '0.0.0.0', port: 8080 });
  });

  it('requires Redis for tests in CI only', () => {
    expect(readOptions(['run', '--ephemeral', '--', 'x'], { CI: 'true' }).redisRequired).toBe(true);
    expect(readOptions(['run', '--ephemeral', '--', 'x'], {}).redisRequired).toBe(false);
    expect(readOptions(['start'], { CI: 'true' }).redisRequired).toBe(false);
  });

  it.each([
    { argv: ['dance'], environment: {}, says: 'start' },
    { argv: ['run', '--fast'], environment: {}, says: '--fast is not an option' },
    { argv: ['start'], environment: { PORT: 'http' }, says: 'PORT must be a number' },
  ])('refuses $argv in one sentence', ({ argv, environment, says }) => {
    expect(() => readOptions(argv, environment)).toThrow(says);
  });
});
