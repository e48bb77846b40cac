import type { ModuleMetadata } from '@nestjs/common';
import { AgentPagesController, GroupPagesController } from './people-pages.controller.js';
import { AgentsController, GroupsController, MeController } from './people.controller.js';
import {
  AccessController,
  PersonalTokensController,
  PreferencesController,
  ProfileController,
} from './profile/profile.controller.js';
import { ProfileReader } from './profile/profile.reader.js';
import { ReauthenticationService } from './profile/reauthentication.service.js';
import { TicketHandoverService } from './ticket-handover.service.js';
import { TwoFactorController } from './two-factor/two-factor.controller.js';

export const PEOPLE_PARTS = {
  controllers: [
    AgentPagesController,
    GroupPagesController,
    AgentsController,
    GroupsController,
    MeController,
    AccessController,
    PersonalTokensController,
    PreferencesController,
    ProfileController,
    TwoFactorController,
  ],
  providers: [ProfileReader, ReauthenticationService, TicketHandoverService],
} satisfies ModuleMetadata;
