import { flag } from '#domain/enums.ts';
interface Person {
  userId: string;
  userName: string;
  roleIds: string;
  siteId: string;
  allSites: '0' | '1';
  mobile: string;
  email: string;
}

const person = (userId: string, userName: string, roleIds: string, siteId: string, mobile: string): Person => ({
  userId,
  userName,
  roleIds,
  siteId,
  allSites: flag(providerStaff.includes(roleIds)),
  mobile,
  email: `${userId.toLowerCase()}@reflow.example`,
});

/** These roles work for all sites. Rule: operating#demo. */
const providerStaff = ['admin', 'finance', 'auditor', 'aftersales'];

/** The users that the design names, and the colleagues without whom the other sites would stand still. */
export const people: Person[] = [
  person('admin', '陈志远', 'admin', 'SZ', '13510286671'),
  person('office', '周敏', 'office', 'SZ', '13632507718'),
  person('warehouse', '王建国', 'warehouse', 'SZ', '13798361142'),
  person('tech', '李伟', 'tech', 'SZ', '15013854409'),
  person('tech2', '黄晓东', 'tech', 'SZ', '15099120386'),
  person('supervisor', '张丽华', 'supervisor', 'SZ', '13423971855'),
  person('aftersales', '刘思雨', 'aftersales', 'SZ', '18688960327'),
  person('finance', '吴雅琴', 'finance', 'SZ', '13902459913'),
  person('auditor', '郑国强', 'auditor', 'SZ', '13802274460'),
  person('planner', '孙浩然', 'planner', 'SZ', '18126303852'),
  person('supplier', 'Marcus Hill', 'supplier', 'US', '+1 281 555 0176'),
  person('viewer', '何雪', 'viewer', 'SZ', '15820417739'),
  person('techNB', '徐海波', 'tech', 'NB', '15867339024'),
  person('whNB', '沈佳怡', 'warehouse', 'NB', '13586540219'),
  person('supNB', '蒋文斌', 'supervisor', 'NB', '13957418860'),
  person('techUS', 'Carlos Mendoza', 'tech', 'US', '+1 832 555 0119'),
  person('whUS', 'Emily Carter', 'warehouse', 'US', '+1 713 555 0162'),
  person('supUS', 'Daniel Reyes', 'supervisor', 'US', '+1 713 555 0148'),
];

/** Who does what at a site; the home site's people are the users of the design. */
export interface Crew {
  warehouse: string;
  techs: readonly string[];
  supervisor: string;
}

export const crews: Record<string, Crew> = {
  SZ: { warehouse: 'warehouse', techs: ['tech', 'tech2'], supervisor: 'supervisor' },
  NB: { warehouse: 'whNB', techs: ['techNB'], supervisor: 'supNB' },
  US: { warehouse: 'whUS', techs: ['techUS'], supervisor: 'supUS' },
};
