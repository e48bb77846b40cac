import { AUDIENCES, type Audience, SCOPES, type Scope } from '#libs/entities';
import { SetMetadata } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

const RESOURCE_KEY = 'oauth:resource';

/** For controllers that need a token for another resource than the API. */
export const ResourceServer = (audience: Audience) => SetMetadata(RESOURCE_KEY, audience);

export { RESOURCE_KEY };

/** The resources of RFC 8707. `path` follows the base. */
export const RESOURCES: Readonly<
  Record<Audience, { readonly path: string; readonly name: string; readonly scopes: readonly Scope[] }>
> = {
  api: { path: '', name: 'Deskwire API', scopes: SCOPES },
  mcp: { path: '/mcp', name: 'Deskwire MCP server', scopes: ['tickets:read', 'tickets:write', 'messages:write'] },
};

export const resourceUrl = (audience: Audience, base: string): string => `${base}${RESOURCES[audience].path}`;

/** Clients that parse the address of the API add a slash. */
export const audienceOf = (resource: string, base: string): Audience | undefined =>
  AUDIENCES.find((audience) => resource.replace(/\/$/, '') === resourceUrl(audience, base));

/** RFC 9728 section 3.1. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

const PROTECTED_PATH = /^\/(?:v1|mcp|oauth\/userinfo)(?![^/?])/;

/** Every 401 and 403 says where to learn how to get a token (RFC 9728 section 5.1). */
export function nameMetadataInChallenges(server: FastifyInstance, base: string): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if ((reply.statusCode === 401 || reply.statusCode === 403) && PROTECTED_PATH.test(request.url)) {
      const { path, scopes } = request.url.startsWith('/mcp') ? RESOURCES.mcp : RESOURCES.api;
      const challenge = String(reply.getHeader('www-authenticate') ?? 'Bearer realm="deskwire"');
      // An MCP client asks for what the challenge names.
      const wanted = path !== '' && reply.statusCode === 401 ? `, scope="${scopes.join(' ')}"` : '';
      const metadata = `resource_metadata="${base}${METADATA_PATH}${path}"`;
      void reply.header('www-authenticate', `${challenge}, ${metadata}${wanted}`);
    }
    done(null, payload);
  });
}
