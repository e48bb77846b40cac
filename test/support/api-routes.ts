import 'reflect-metadata';
import { readSettings } from '#libs/settings';
import { createLogger } from '#libs/telemetry';
import type { DynamicModule } from '@nestjs/common';
import { ApiModule } from '../../apps/api/src/api.module.js';

export interface ApiRoute {
  readonly method: string;
  /** `/tickets/:number/state` */
  readonly path: string;
}

export type Class = new (...parts: never[]) => object;
type NestModule = Class | DynamicModule;

/** Every route of the API, read from its controllers, so that new ones are found. */
export function apiRoutes(): ApiRoute[] {
  const settings = readSettings({ NODE_ENV: 'test', DATABASE_URL: 'postgres://nowhere/' });
  return [...controllersBelow(ApiModule.forRoot(settings, createLogger('routes', 'silent')))].flatMap(routesOf);
}

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
  const path = Reflect.getMetadata('path', handler) as string | undefined;
  if (path === undefined) return [];
  const parts = [base, path].flatMap((part) => part.split('/')).filter(Boolean);
  return [{ method: METHODS[Reflect.getMetadata('method', handler) as number]!, path: `/${parts.join('/')}` }];
}

function controllersBelow(from: NestModule, found = new Set<Class>(), seen = new Set<unknown>()): Set<Class> {
  if (seen.has(from)) return found;
  seen.add(from);
  for (const controller of listOf<Class>(from, 'controllers')) found.add(controller);
  for (const module of listOf<NestModule>(from, 'imports')) controllersBelow(module, found, seen);
  return found;
}

/** A dynamic module adds to its class's declaration. */
function listOf<T>(module: NestModule, name: 'controllers' | 'imports'): T[] {
  const own = 'module' in module ? ((module[name] ?? []) as T[]) : [];
  const type: unknown = 'module' in module ? module.module : module;
  return [...own, ...((Reflect.getMetadata(name, type as object) as T[] | undefined) ?? [])];
}
