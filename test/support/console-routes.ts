import 'reflect-metadata';
import { ConsoleModule } from '../../apps/api/src/console/console.module.js';
import { type ApiRoute, type Class, routesOf } from './api-routes.js';

/** Every page and form of the console. */
export function consoleRoutes(): ApiRoute[] {
  const modules = Reflect.getMetadata('imports', ConsoleModule) as Class[];
  return modules.flatMap((module) => Reflect.getMetadata('controllers', module) as Class[]).flatMap(routesOf);
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

/** The paths of all pages: a new page is tested without being listed anywhere. */
export function consolePages(): string[] {
  const pages = consoleRoutes().filter(({ method, path }) => method === 'GET' && !NO_PAGES.has(path));
  return pages.map(({ path }) => path);
}
