import 'reflect-metadata';
import { CONTROLLERS } from '../../apps/api/src/api.module.js';

export interface ApiRoute {
  readonly method: string;
  /** `/tickets/:number/state` */
  readonly path: string;
}

export type Class = new (...parts: never[]) => object;

/** Every route of the API, read from its controllers, so that new ones are found. */
export const apiRoutes = (): ApiRoute[] => (CONTROLLERS as Class[]).flatMap(routesOf);

export function routesOf(controller: Class): ApiRoute[] {
  const base = Reflect.getMetadata('path', controller) as string;
  const names = Object.getOwnPropertyNames(controller.prototype).filter((name) => name !== 'constructor');
  return names.flatMap((name) => routeOf(controller, name, base));
}

/** In the order of Nest's numbers. */
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

function routeOf(controller: Class, name: string, base: string): ApiRoute[] {
  const handler: unknown = (controller.prototype as Record<string, unknown>)[name];
  if (typeof handler !== 'function') return [];
  const paths = Reflect.getMetadata('path', handler) as string | string[] | undefined;
  if (paths === undefined) return [];
  const method = METHODS[Reflect.getMetadata('method', handler) as number]!;
  return [paths].flat().map((path) => {
    const parts = [base, path].flatMap((part) => part.split('/')).filter(Boolean);
    return { method, path: `/${parts.join('/')}` };
  });
}
