import { type FoundToken, type TokenResponse, type TokenResult, TokensService } from '#libs/access';
import { Links } from '#libs/payloads';
import { Controller, Header, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { ClientAuthenticationService, type ClientRequest } from './client-authentication.service.js';
import { readAudiences } from './authorization-request.js';
import { OAuthError, OAuthErrorFilter } from './oauth-error.filter.js';
import { resourceUrl } from './resources.js';

/** OAuth clients accept only 200, but Nest returns 201 for a POST. */
@Controller('oauth')
@Public()
@UseFilters(OAuthErrorFilter)
export class TokenController {
  constructor(
    private readonly clients: ClientAuthenticationService,
    private readonly tokens: TokensService,
    private readonly links: Links,
  ) {}

  @Post('token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Header('pragma', 'no-cache')
  async token(@Req() request: FastifyRequest): Promise<TokenResponse> {
    const result = await this.issue(await this.clients.authenticate(request));
    if (!result.ok) throw new OAuthError(result.error, result.description);
    return result.response;
  }

  /** RFC 7009: an unknown token is no error. Some clients need a JSON body. */
  @Post('revoke')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async revoke(@Req() request: FastifyRequest): Promise<Record<string, never>> {
    const { client, params } = await this.clients.authenticate(request);
    await this.tokens.revoke(client.id, params.require('token'));
    return {};
  }

  @Post('introspect')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async introspect(@Req() request: FastifyRequest): Promise<object> {
    const { client, params } = await this.clients.authenticate(request);
    if (client.secretHash === null)
      throw new OAuthError('invalid_client', 'Only clients with a secret may introspect tokens.', 401);
    const found = await this.tokens.introspect(client.id, params.require('token'));
    return found ? introspectionOf(found, client.clientId, this.links.base) : { active: false };
  }

  private issue({ client, params }: ClientRequest): Promise<TokenResult> {
    const grantType = params.require('grant_type');
    const audiences = readAudiences(params, this.links.base);
    if (grantType === 'refresh_token') {
      const refreshToken = params.require('refresh_token');
      return this.tokens.refresh(client, { refreshToken, scopes: params.scopes, audiences });
    }
    if (grantType !== 'authorization_code')
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
    const code = params.require('code');
    const redirectUri = params.require('redirect_uri');
    return this.tokens.redeemCode(client, { code, redirectUri, verifier: params.get('code_verifier'), audiences });
  }
}

/** RFC 7662 section 2.2. */
const introspectionOf = (found: FoundToken, clientId: string, issuer: string) => ({
  active: true,
  scope: found.scopes.join(' '),
  client_id: clientId,
  ...(found.kind === 'access' && { token_type: 'bearer' }),
  exp: seconds(found.expiresAt),
  iat: seconds(found.issuedAt),
  sub: found.agentId,
  iss: issuer,
  aud: found.audiences.map((audience) => resourceUrl(audience, issuer)),
  account: { id: found.accountId, name: found.accountName },
});

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
