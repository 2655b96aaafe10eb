import type { Fault } from '../fault.js';
import { failedOver, ROLLING, SKEWED } from './cluster.js';
import { manyCreates } from './creates.js';
import { frozenDatabase, KILLED_DATABASE } from './database.js';
import { FROZEN, FROZEN_LONG, KILLED, LOST, TWICE } from './nodes.js';
import { APART, CUT_OFF } from './partitions.js';

/** All rows, in the order of the table. */
export const FAULTS: readonly Fault[] = [
  ...[KILLED, LOST, FROZEN, FROZEN_LONG, CUT_OFF, APART],
  ...[KILLED_DATABASE, frozenDatabase(60), failedOver()],
  ...[SKEWED, TWICE, ROLLING, manyCreates(20)],
];
