import { describe, expect, it } from 'vitest';
import { smtpUrlOf } from './start.js';

describe("the launcher's announcement of the mail port", () => {
  it.each([
    [{ MAIL_PORT: '2525' }, 'smtp://127.0.0.1:2525'],
    [{ MAIL_PORT: '2525', MAIL_HOST: '0.0.0.0' }, 'smtp://127.0.0.1:2525'],
    [{ MAIL_PORT: '2525', MAIL_HOST: '::1' }, 'smtp://[::1]:2525'],
    [{ MAIL_PORT: '0' }, undefined],
    [{}, undefined],
  ])('contains the URL for %j', (environment, url) => {
    expect(smtpUrlOf(environment)).toBe(url);
  });
});
