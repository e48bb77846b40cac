import { type TokenResponse, type TokenResult, TokensService } from '#libs/access';
import { Links } from '#libs/payloads';
import { Controller, Header, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/access.decorator.js';
import { ClientAuthenticationService, type ClientRequest } from './client-authentication.service.js';
import { type Introspection, introspectionOf } from './introspection.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { OAuthError } from './oauth-error.js';

/** Each method authenticates the client first. Nest answers a POST with 201; OAuth clients accept 200 only. */
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
    if (!result.ok) throw new OAuthError(result.error, result.why);
    return result.response;
  }

  /**
   * RFC 7009: an unknown token, or one of another client, is no error. The body is empty JSON, because some clients fail
   * without it.
   */
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

  private issue({ client, params }: ClientRequest): Promise<TokenResult> {
    switch (params.require('grant_type')) {
      case 'authorization_code':
        return this.tokens.redeemCode(client.id, {
          code: params.require('code'),
          redirectUri: params.require('redirect_uri'),
          verifier: params.get('code_verifier'),
        });
      case 'refresh_token':
        return this.tokens.refresh(client.id, params.require('refresh_token'), params.scopes);
      default:
        throw new OAuthError('unsupported_grant_type', 'The grant_type is authorization_code or refresh_token.');
    }
  }
}
