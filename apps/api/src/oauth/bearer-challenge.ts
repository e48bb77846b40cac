import type { Scope } from '#libs/entities';
import { HttpException } from '@nestjs/common';

/** RFC 6750 section 3: a header that says what is wrong with the token, beside the problem body. */
function challenge(status: number, error: string, detail: string, attributes: string): HttpException {
  const headers = { 'www-authenticate': `Bearer realm="deskwire"${attributes}` };
  return new HttpException({ error, detail, headers }, status);
}

/** Without an error code, because the client sent no token (RFC 6750 section 3.1). */
export const missingToken = (): HttpException =>
  challenge(401, 'unauthorized', 'Send an access token in the header Authorization: Bearer.', '');

const described = (status: number, error: string, sentence: string): HttpException =>
  challenge(status, error, `${sentence}.`, `, error="${error}", error_description="${sentence}"`);

export const invalidToken = (): HttpException =>
  described(401, 'invalid_token', 'The access token is unknown, expired or revoked');

export const badRequest = (): HttpException =>
  described(400, 'invalid_request', 'Send the access token in one place only');

/** Names the scopes that the token lacks. */
export const insufficientScope = (missing: readonly Scope[]): HttpException =>
  challenge(
    403,
    'insufficient_scope',
    `This needs a token with the ${missing.length > 1 ? 'scopes' : 'scope'} ${missing.join(' and ')}.`,
    `, error="insufficient_scope", scope="${missing.join(' ')}"`,
  );
