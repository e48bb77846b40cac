import type { FastifyInstance } from 'fastify';

/** The methods of each path, so that a wrong method can be answered with 405 instead of 404. */
export class AllowedMethods {
  private readonly methods = new Map<string, { segments: readonly string[]; methods: Set<string> }>();

  /** Call it before the routes are registered. */
  watch(server: FastifyInstance): this {
    server.addHook('onRoute', ({ url, method }) => {
      const route = this.methods.get(url) ?? { segments: segmentsOf(url), methods: new Set<string>() };
      for (const one of [method].flat()) route.methods.add(one);
      this.methods.set(url, route);
    });
    return this;
  }

  /** An address that a route writes out is that route's, even where a parameter of another would fit it. */
  methodsFor(path: string): string[] {
    const segments = segmentsOf(path);
    const writtenOut = this.writtenOut(path);
    if (writtenOut) return writtenOut;
    const fitting = [...this.methods.values()].filter((route) => fits(route.segments, segments));
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort();
  }

  /** The methods of the route that has exactly this path, without a parameter. */
  writtenOut(path: string): string[] | undefined {
    const route = this.methods.get(segmentsOf(path).join('/'));
    return route && !route.segments.some((segment) => segment.startsWith(':')) ? [...route.methods].sort() : undefined;
  }
}

/** A slash at the end makes no difference. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/');

const fits = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : path[index] === segment));
