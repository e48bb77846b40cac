import {
  TokenIssuanceService,
  type TokenResult,
  IssuedTokensService,
  type OAuthClient,
  type TokenResponse,
} from '#libs/access';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ClientAuthentication } from './client-authentication.js';
import { type Introspection, introspectionOf } from './introspection.js';
import { OAuthError } from './oauth-error.js';
import { OAuthParams } from './oauth-params.js';

type GrantHandler = (client: OAuthClient, params: OAuthParams) => Promise<TokenResult>;

/** Each method authenticates the client first. */
@Injectable()
export class TokenService {
  private readonly grants: Readonly<Record<string, GrantHandler>> = {
    authorization_code: (client, params) =>
      this.exchange.redeemCode(client.id, {
        code: params.require('code'),
        redirectUri: params.require('redirect_uri'),
        verifier: params.get('code_verifier'),
      }),
    refresh_token: (client, params) => this.exchange.refresh(client.id, params.require('refresh_token'), params.scopes),
  };

  constructor(
    private readonly clients: ClientAuthentication,
    private readonly exchange: TokenIssuanceService,
    private readonly tokens: IssuedTokensService,
    private readonly links: Links,
  ) {}

  async issue(request: FastifyRequest): Promise<TokenResponse> {
    const params = new OAuthParams(request.body).rejectRepeated();
    const client = await this.clients.authenticate(request, params);
    const type = params.require('grant_type');
    const grant = Object.hasOwn(this.grants, type) ? this.grants[type] : undefined;
    if (!grant)
      throw new OAuthError('unsupported_grant_type', 'The grant_type is authorization_code or refresh_token.');
    const exchanged = await grant(client, params);
    if (!exchanged.ok) throw new OAuthError(exchanged.error, exchanged.why);
    return exchanged.response;
  }

  /**
   * RFC 7009: an unknown token, or one of another client, is no error. The body is empty JSON, because some clients fail
   * without it.
   */
  async revoke(request: FastifyRequest): Promise<object> {
    const params = new OAuthParams(request.body).rejectRepeated();
    const client = await this.clients.authenticate(request, params);
    await this.tokens.revoke(client.id, params.require('token'));
    return {};
  }

  async introspect(request: FastifyRequest): Promise<Introspection> {
    const params = new OAuthParams(request.body).rejectRepeated();
    const client = await this.clients.authenticate(request, params);
    const found = await this.tokens.introspect(client.id, params.require('token'));
    return introspectionOf(found, client.clientId, this.links.base);
  }
}
