import { AgentAccessService, DependentWebhooks } from '#libs/access';
import { AgentAccess } from '#libs/desk';
import { AccessRevocationService } from '#libs/webhooks';
import { Global, Module } from '@nestjs/common';

/** desk, access and webhooks do not import each other. What one needs of another is brought together here. */
@Global()
@Module({
  providers: [
    { provide: AgentAccess, useClass: AgentAccessService },
    { provide: DependentWebhooks, useClass: AccessRevocationService },
  ],
  exports: [AgentAccess, DependentWebhooks],
})
export class LibraryWiringModule {}
