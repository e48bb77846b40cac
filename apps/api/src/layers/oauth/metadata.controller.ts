import { SCOPES } from '#libs/entities';
import { Links } from '#libs/payloads';
import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../edge/caller.js';

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

@Controller('.well-known')
@Public()
export class MetadataController {
  constructor(private readonly links: Links) {}

  /** RFC 8414. */
  @Get('oauth-authorization-server')
  @Header('cache-control', 'public, max-age=3600')
  read() {
    const { base } = this.links;
    return {
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      introspection_endpoint: `${base}/oauth/introspect`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      authorization_response_iss_parameter_supported: true,
    };
  }
}
