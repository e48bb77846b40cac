import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleAccessController } from './access.controller.js';
import { ConsoleNoticesController } from './notices.controller.js';
import { ConsolePasswordController } from './password.controller.js';
import { ConsolePersonalTokensController } from './personal-tokens.controller.js';
import { OwnProof } from './own-proof.js';
import { ConsoleProfileController } from './profile.controller.js';
import { OwnSettingsReader } from './own-settings.reader.js';
import { ProfileReader } from './profile.reader.js';

/** What agents set for themselves, and who has their access. */
@Module({
  imports: [DeskModule, ShellModule],
  controllers: [
    ConsoleProfileController,
    ConsoleNoticesController,
    ConsolePasswordController,
    ConsoleAccessController,
    ConsolePersonalTokensController,
  ],
  providers: [OwnProof, ProfileReader, OwnSettingsReader],
  exports: [OwnProof],
})
export class ConsoleProfileModule {}
