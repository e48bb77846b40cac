import { DeskModule } from '#libs/desk';
import { importFolder } from '#libs/folder-imports';
import { WebhooksModule } from '#libs/webhooks';
import { Module, type Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants.js';
import { LiveModule } from '../console/live/live.module.js';
import { ShellModule } from '../console/shell/shell.module.js';
import { HttpModule } from '../http/http.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { ChangeWaits } from './changes/change-waits.js';
import { ChangesFollowing } from './changes/changes-following.js';

const modules = await importFolder(import.meta.dirname, /\.controller\.[jt]s$/);

const isController = (value: unknown): value is Type =>
  typeof value === 'function' && Reflect.hasMetadata(CONTROLLER_WATERMARK, value);

/** The resources of `/v1`: every controller in the folders beside this file. */
@Module({
  imports: [DeskModule, WebhooksModule, SignInModule, HttpModule, LiveModule, OAuthModule, ShellModule],
  providers: [ChangesFollowing, ChangeWaits],
  controllers: modules.flatMap((exported) => Object.values(exported)).filter((value) => isController(value)),
})
export class RestModule {}
