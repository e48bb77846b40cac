import type { FastifyInstance } from 'fastify';

/** The methods of each path, so that a wrong method can be answered with 405 instead of 404. */
export class AllowedMethods {
  private readonly methods = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** Call it before the routes are registered. */
  watch(server: FastifyInstance): this {
    server.addHook('onRoute', ({ url, method }) => {
      const route = this.methods.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
      for (const one of [method].flat()) route.methods.add(one);
      this.methods.set(url, route);
    });
    return this;
  }

  methodsFor(path: string): string[] {
    const fitting = [...this.methods.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort();
  }
}

function patternOf(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)));
  return new RegExp(`^${parts.join('/')}/?$`);
}
