import type { Fault } from '../fault.js';
import { MACHINE_ROWS } from './machine.js';
import { PART_ROWS } from './parts.js';
import { PEOPLE_ROWS } from './people.js';

/** The whole table. */
export const FAULTS: readonly Fault[] = [...PART_ROWS, ...PEOPLE_ROWS, ...MACHINE_ROWS];
