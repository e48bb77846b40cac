import { ApplicationsService, type OAuthClient, ThrottlesService, clientSecretLimits } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OAuthError } from './oauth-error.filter.js';
import { OAuthParams } from './oauth-params.js';

export interface ClientRequest {
  readonly client: OAuthClient;
  readonly params: OAuthParams;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const BASIC_CHALLENGE = { 'www-authenticate': 'Basic realm="deskwire", charset="UTF-8"' };

/** client_secret_basic or client_secret_post, but not both; a public client sends only its id. */
@Injectable()
export class ClientAuthenticationService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly throttles: ThrottlesService,
  ) {}

  async authenticate(request: FastifyRequest): Promise<ClientRequest> {
    const params = new OAuthParams(request.body).rejectRepeated();
    const header = request.headers.authorization;
    const { id, secret } = header === undefined ? fromBody(params) : fromHeader(header, params);
    // PostgreSQL cannot store the NUL character.
    const client = id && !id.includes('\0') ? await this.applications.authenticate(id, secret || undefined) : undefined;
    if (!client) throw await this.invalidClient(request.ip, header !== undefined);
    request.actor = { applicationId: client.id };
    return { client, params };
  }

  /** Guesses of others cannot lock a client out. */
  private async invalidClient(address: string, viaHeader: boolean): Promise<OAuthError> {
    const wait = await this.throttles.consume(clientSecretLimits(address));
    const headers = { ...(viaHeader && BASIC_CHALLENGE), ...(wait > 0 && { 'retry-after': String(wait) }) };
    const description = 'The client ID or secret is wrong, or the client is disabled.';
    return new OAuthError('invalid_client', description, wait > 0 ? 429 : 401, headers);
  }
}

type ClientCredentials = { readonly id?: string | undefined; readonly secret?: string | undefined };

const fromBody = (params: OAuthParams): ClientCredentials => ({
  id: params.get('client_id'),
  secret: params.get('client_secret'),
});

function fromHeader(header: string, params: OAuthParams): ClientCredentials {
  if (params.get('client_secret'))
    throw new OAuthError('invalid_request', 'Authenticate the client either in the header or in the body, not both.');
  const encoded = BASIC.exec(header)?.[1];
  if (!encoded) return {};
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const credentials = { id: formDecoded(id), secret: formDecoded(rest.join(':')) };
  const named = params.get('client_id');
  return named === undefined || named === credentials.id ? credentials : {};
}

/** Some clients do not form-encode both parts (RFC 6749 section 2.3.1). */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
