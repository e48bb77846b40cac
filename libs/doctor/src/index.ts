export {
  type Installation,
  type QueueInspection,
  examineInstallation,
  examineQueue,
  examineServers,
  inspectQueue,
  isMigrated,
  errorReason,
} from './examination.js';
export {
  type Finding,
  type CheckResult,
  VERDICTS,
  type Verdict,
  amber,
  green,
  toFinding,
  red,
  worst,
} from './finding.js';
export { examineAttachments } from './attachments.js';
export { checkImap, examineImap } from './imap.js';
export { checkMail, examineMail } from './mail.js';
export { examineDisk } from './disk.js';
export { checkBacklog, checkLateness, checkSecrets, checkSettings, checkWorkerClocks } from './checks.js';
