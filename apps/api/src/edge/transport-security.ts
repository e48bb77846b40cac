import type { FastifyInstance } from 'fastify';

/** Other names of the same domain are not ours, so they are not included. */
const FOR_A_YEAR = 'max-age=31536000';

/** A browser that was here over https never tries http again, where somebody in between could answer. */
export function requireHttps(server: FastifyInstance, publicUrl: string): void {
  if (!publicUrl.startsWith('https:')) return;
  server.addHook('onRequest', async (_request, reply) => {
    void reply.header('strict-transport-security', FOR_A_YEAR);
  });
}
