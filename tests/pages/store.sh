neosian memory write /project/notes/decision --content 'We keep the journal.'
