import { readGuides } from './guides.js';

/** In the format of llmstxt.org. */
export const llmsText = (base: string): string => `# Deskwire

> A help desk: tickets, messages, customers and agents over REST, and signed webhooks for what happens to them.

Send an access token in \`Authorization: Bearer\`. An application gets one with OAuth 2.0 (authorization code with PKCE); a person creates one in their profile. Errors are \`application/problem+json\` with a stable \`error\`.

## Guides

${readGuides(base)
  .map(({ path, title, summary }) => `- [${title}](${base}${path}): ${summary}`)
  .join('\n')}

## Documents

- [OpenAPI](${base}/openapi.json): every operation of \`/v1\`
- [Reference](${base}/docs): the same with recorded examples, records and error codes
- [OAuth](${base}/docs/oauth): the endpoints for access
- [OAuth metadata](${base}/.well-known/oauth-authorization-server): their addresses and the scopes (RFC 8414)
- [MCP](${base}/mcp): Model Context Protocol over Streamable HTTP, with an access token for this address
- [Webhooks](${base}/docs/webhooks): register, test and rotate secrets
- [Events](${base}/docs/events): payloads and signatures of each kind, and the feed of past events
- [Deliveries](${base}/docs/deliveries): attempts and redelivery
`;
