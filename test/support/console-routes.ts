import 'reflect-metadata';
import { CONTROLLERS } from '../../apps/api/src/api.module.js';
import { AUDIENCE_KEY } from '../../apps/api/src/layers/shell/audience.guard.js';
import { type ApiRoute, type Class, routesOf } from './api-routes.js';

export const consoleControllers = (): Class[] =>
  CONTROLLERS.filter((controller) => Reflect.hasMetadata(AUDIENCE_KEY, controller)) as Class[];

export function consoleRoutes(): ApiRoute[] {
  return consoleControllers().flatMap(routesOf);
}

/** Redirects, streams, downloads and parts of pages. */
const NO_PAGES = new Set([
  '/',
  '/live',
  '/live/unread',
  '/tickets/new/customers',
  '/attachments/:id',
  '/attachments/:id/image',
]);

export function consolePages(): string[] {
  const pages = consoleRoutes().filter(({ method, path }) => method === 'GET' && !NO_PAGES.has(path));
  return pages.map(({ path }) => path);
}
