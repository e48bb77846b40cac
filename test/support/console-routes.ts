import 'reflect-metadata';
import { ConsoleModule } from '../../apps/api/src/console/console.module.js';

export interface ConsoleRoute {
  readonly method: 'GET' | 'POST';
  /** `/tickets/:number/state` */
  readonly path: string;
}

type Class = new (...parts: never[]) => object;

/** Every page and form of the console, as its controllers are declared. */
export function consoleRoutes(): ConsoleRoute[] {
  const modules = Reflect.getMetadata('imports', ConsoleModule) as Class[];
  const controllers = modules.flatMap((module) => Reflect.getMetadata('controllers', module) as Class[]);
  return controllers.flatMap((controller) => {
    const base = Reflect.getMetadata('path', controller) as string;
    const names = Object.getOwnPropertyNames(controller.prototype).filter((name) => name !== 'constructor');
    return names.flatMap((name) => routeOf(controller, name, base));
  });
}

/** Redirects, streams and downloads. */
const NO_PAGES = new Set(['/', '/live', '/attachments/:id']);

/** The paths of all pages: a new page is tested without being listed anywhere. */
export function consolePages(): string[] {
  const pages = consoleRoutes().filter(({ method, path }) => method === 'GET' && !NO_PAGES.has(path));
  return pages.map(({ path }) => path);
}

function routeOf(controller: Class, name: string, base: string): ConsoleRoute[] {
  const handler: unknown = (controller.prototype as Record<string, unknown>)[name];
  if (typeof handler !== 'function') return [];
  const path = Reflect.getMetadata('path', handler) as string | undefined;
  if (path === undefined) return [];
  const parts = [base, path].flatMap((part) => part.split('/')).filter(Boolean);
  // Nest counts its methods: GET is the first, POST the second.
  return [{ method: Reflect.getMetadata('method', handler) === 0 ? 'GET' : 'POST', path: `/${parts.join('/')}` }];
}
