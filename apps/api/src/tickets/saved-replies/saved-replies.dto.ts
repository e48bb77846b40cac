import { SAVED_REPLY_STATES, type SavedReply } from '#libs/entities';
import { IsIn } from 'class-validator';
import { ApiDescription } from '../../layers/edge/api-operation.decorator.js';
import {
  BooleanFlag,
  IsEmailOrId,
  Line,
  Optional,
  OptionalNotNull,
  Tags,
  Text,
} from '../../layers/edge/field-decorators.js';

const MAX_SAVED_CHARACTERS = 20_000;
const NAME = 'Unique among the shared ones, or among those of the agent.';
const BODY =
  'Plain text. The console replaces `{{customer}}`, `{{agent}}`, `{{ticket}}` and `{{mailbox}}` when an agent chooses it.';

abstract class SavedReplyDto {
  @OptionalNotNull('Whether all agents have it, or only the owner of the token.', BooleanFlag()) shared?: boolean;
  @OptionalNotNull('Tags added to the ticket when the reply is sent.', Tags()) tags?: string[];
  @Optional('State of the ticket when the reply is sent.', IsIn(SAVED_REPLY_STATES)) state?: SavedReply['state'];
  @Optional('Email or id of the agent that the ticket is assigned to.', IsEmailOrId()) assignee?: string | null;
}

export class CreateSavedReplyDto extends SavedReplyDto {
  @ApiDescription(NAME) @Line(100) name: string;
  @ApiDescription(BODY) @Text(MAX_SAVED_CHARACTERS) body: string;
}

export class ChangeSavedReplyDto extends SavedReplyDto {
  @OptionalNotNull(NAME, Line(100)) name?: string;
  @OptionalNotNull(BODY, Text(MAX_SAVED_CHARACTERS)) body?: string;
}
