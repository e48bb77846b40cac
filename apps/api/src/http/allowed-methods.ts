import type { FastifyInstance } from 'fastify';

/** Which methods an address has, so that a wrong method is told apart from a wrong address. */
export class AllowedMethods {
  private readonly methods = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** Before the routes are registered. */
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
