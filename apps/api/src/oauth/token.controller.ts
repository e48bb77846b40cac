import { type FoundToken, type TokenResponse, type TokenResult, TokensService } from '#libs/access';
import { Links } from '#libs/payloads';
import { Controller, Header, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { ClientAuthenticationService, type ClientRequest } from './client-authentication.service.js';
import { OAuthError, OAuthErrorFilter } from './oauth-error.filter.js';

/** OAuth clients accept only 200, but Nest answers a POST with 201. */
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
  async introspect(@Req() request: FastifyRequest): Promise<Introspection> {
    const { client, params } = await this.clients.authenticate(request);
    const found = await this.tokens.introspect(client.id, params.require('token'));
    return introspectionOf(found, client.clientId, this.links.base);
  }

  private issue(request: ClientRequest): Promise<TokenResult> {
    const issue = GRANT_TYPES.get(request.params.require('grant_type'));
    if (!issue)
      throw new OAuthError('unsupported_grant_type', 'The grant_type is authorization_code or refresh_token.');
    return issue(this.tokens, request);
  }
}

type Issue = (tokens: TokensService, request: ClientRequest) => Promise<TokenResult>;

const GRANT_TYPES: ReadonlyMap<string, Issue> = new Map<string, Issue>([
  [
    'authorization_code',
    (tokens, { client, params }) =>
      tokens.redeemCode(client.id, {
        code: params.require('code'),
        redirectUri: params.require('redirect_uri'),
        verifier: params.get('code_verifier'),
      }),
  ],
  [
    'refresh_token',
    (tokens, { client, params }) => tokens.refresh(client.id, params.require('refresh_token'), params.scopes),
  ],
]);

/** RFC 7662 section 2.2. */
type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      readonly token_type?: 'bearer';
      readonly exp: number;
      readonly iat: number;
      readonly sub: string;
      readonly iss: string;
      readonly account: { readonly id: string; readonly name: string };
    };

function introspectionOf(found: FoundToken | undefined, clientId: string, issuer: string): Introspection {
  if (!found) return { active: false };
  return {
    active: true,
    scope: found.scopes.join(' '),
    client_id: clientId,
    ...(found.kind === 'access' && { token_type: 'bearer' }),
    exp: seconds(found.expiresAt),
    iat: seconds(found.issuedAt),
    sub: found.agentId,
    iss: issuer,
    account: { id: found.accountId, name: found.accountName },
  };
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
