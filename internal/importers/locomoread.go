package importers

func isLoCoMo(s *sight) bool {
	return s.any("session_1") || s.has("conversation", "sample_id") || s.has("conversation", "qa")
}

func readLoCoMo(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		where, err := f.onPath()
		if err != nil {
			return err
		}
		seq, _, err := LoCoMo(where)
		if err != nil {
			return err
		}
		for one, err := range seq {
			if err != nil {
				return err
			}
			if err := r.give(one); err != nil {
				return err
			}
		}
		return nil
	})
}
