import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleAgentsController } from './agents.controller.js';
import { ConsoleGroupsController } from './groups.controller.js';
import { ConsoleMailboxesController } from './mailboxes.controller.js';
import { PeopleReader } from './people.reader.js';
import { TicketHandover } from './ticket-handover.js';

/** Agents, mailboxes and groups. */
@Module({
  imports: [DeskModule, ShellModule],
  controllers: [ConsoleAgentsController, ConsoleMailboxesController, ConsoleGroupsController],
  providers: [PeopleReader, TicketHandover],
})
export class ConsolePeopleModule {}
