import { DeskModule } from '#libs/desk';
import { importFolder } from '#libs/folder-imports';
import { WebhooksModule } from '#libs/webhooks';
import { Module, type Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants.js';
import { SignInModule } from '../sign-in/sign-in.module.js';

const modules = await importFolder(import.meta.dirname, /\.controller\.[jt]s$/);

const isController = (value: unknown): value is Type =>
  typeof value === 'function' && Reflect.hasMetadata(CONTROLLER_WATERMARK, value);

/** The resources of `/v1`: every controller in the folders beside this file. */
@Module({
  imports: [DeskModule, WebhooksModule, SignInModule],
  controllers: modules.flatMap((exported) => Object.values(exported)).filter((value) => isController(value)),
})
export class RestModule {}
