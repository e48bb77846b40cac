import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DeskModule } from '#libs/desk';
import { WebhooksModule } from '#libs/webhooks';
import { Module, type Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants.js';
import { SignInModule } from '../sign-in/sign-in.module.js';

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
const controllers = files
  .filter((file) => /\.controller\.[jt]s$/.test(file))
  .map((file) => import(pathToFileURL(join(import.meta.dirname, file)).href) as Promise<Record<string, unknown>>);

const isController = (value: unknown): value is Type =>
  typeof value === 'function' && Reflect.hasMetadata(CONTROLLER_WATERMARK, value);

/** The resources of `/v1`: every controller in the folders beside this file. */
@Module({
  imports: [DeskModule, WebhooksModule, SignInModule],
  controllers: (await Promise.all(controllers))
    .flatMap((exported) => Object.values(exported))
    .filter((value) => isController(value)),
})
export class RestModule {}
