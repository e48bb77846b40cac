import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Imported into a process whose memory is measured, so that garbage is not counted. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => collect());
