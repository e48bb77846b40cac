import { AUDIENCES, type Audience, SCOPES } from '#libs/entities';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Public } from '../edge/caller.js';
import { PROMPTS } from './authorization-request.js';
import { RESOURCES, resourceUrl } from './resources.js';

const SECRET_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];
const CLIENT_AUTHENTICATION = [...SECRET_AUTHENTICATION, 'none'];

@Controller('.well-known')
@Public()
export class MetadataController {
  constructor(
    private readonly links: Links,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** RFC 8414. Some clients look at the address of OpenID first, but no ID tokens are issued. */
  @Get(['oauth-authorization-server', 'openid-configuration'])
  @Header('cache-control', 'public, max-age=3600')
  read() {
    const { base } = this.links;
    return {
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      introspection_endpoint: `${base}/oauth/introspect`,
      userinfo_endpoint: `${base}/oauth/userinfo`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      introspection_endpoint_auth_methods_supported: SECRET_AUTHENTICATION,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: this.settings.CLIENT_ID_METADATA_DOCUMENTS,
      prompt_values_supported: PROMPTS,
      protected_resources: AUDIENCES.map((audience) => resourceUrl(audience, base)),
      service_documentation: `${base}/docs`,
    };
  }

  @Get('oauth-protected-resource')
  @Header('cache-control', 'public, max-age=3600')
  readApi() {
    return this.resource('api');
  }

  @Get('oauth-protected-resource/mcp')
  @Header('cache-control', 'public, max-age=3600')
  readMcp() {
    return this.resource('mcp');
  }

  /** RFC 9728. */
  private resource(audience: Audience) {
    const { base } = this.links;
    return {
      resource: resourceUrl(audience, base),
      authorization_servers: [base],
      scopes_supported: RESOURCES[audience].scopes,
      bearer_methods_supported: this.settings.ALLOW_QUERY_TOKENS ? ['header', 'query'] : ['header'],
      resource_name: RESOURCES[audience].name,
      resource_documentation: `${base}/docs`,
    };
  }
}
